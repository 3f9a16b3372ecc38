/// The script of a run's page: one time axis for the timeline and the charts. Zooming one zooms
/// all, and one cursor tells the time and the values of all.
enum TimelineScript {
    static let text = """
        var TransferLab = (function () {
          'use strict';
          var figures = Array.from(document.querySelectorAll('figure[data-seconds]'));
          var whole = figures.length ? Number(figures[0].dataset.seconds) : 0;
          var range = [0, whole];
          var followers = [];
          function digits(value) { return String(Number(value.toPrecision(4))); }
          /* Writes a time as the page does: in one unit up to ten minutes, in two above. */
          function span(seconds) {
            if (seconds === 0) return '0 s';
            if (Math.abs(seconds) < 600) {
              if (Math.abs(seconds) >= 1) return digits(seconds) + ' s';
              if (Math.abs(seconds) >= 1e-3) return digits(seconds * 1e3) + ' ms';
              return digits(seconds * 1e6) + ' µs';
            }
            var units = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]];
            var first = units.findIndex(function (unit) { return seconds >= unit[1] * 2; });
            if (first < 0 || first > 2) first = 2;
            var small = units[first + 1];
            var count = Math.round(seconds / small[1]);
            var ratio = units[first][1] / small[1];
            var rest = count % ratio ? ' ' + count % ratio + ' ' + small[0] : '';
            return Math.floor(count / ratio) + ' ' + units[first][0] + rest;
          }
          function step(limit) {
            var steps = [30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400];
            var fitting = steps.filter(function (one) { return one <= limit; });
            if (limit >= 30 && limit < 172800) return fitting[fitting.length - 1];
            var power = Math.pow(10, Math.floor(Math.log10(limit)));
            return power * (limit >= power * 5 ? 5 : limit >= power * 2 ? 2 : 1);
          }
          function ticks(from, to) {
            var size = step((to - from) / 5);
            var list = [];
            for (var n = Math.ceil(from / size); n * size <= to; n += 1) list.push(n * size);
            return list;
          }
          function show(from, to) {
            var width = Math.min(whole, Math.max(to - from, whole / 1e6));
            var begin = Math.min(Math.max(from, 0), whole - width);
            if (begin === range[0] && begin + width === range[1]) return;
            range = [begin, begin + width];
            followers.forEach(function (follow) { follow(range); });
          }
          function zoom(factor) {
            var middle = (range[0] + range[1]) / 2;
            var half = (range[1] - range[0]) / 2 * factor;
            show(middle - half, middle + half);
          }
          function move(share) {
            var way = (range[1] - range[0]) * share;
            show(range[0] + way, range[1] + way);
          }
          function addTools() {
            var tools = document.createElement('div');
            var label = document.createElement('output');
            tools.className = 'range';
            [
              ['Zoom in', function () { zoom(0.5); }], ['Zoom out', function () { zoom(2); }],
              ['Earlier', function () { move(-0.5); }], ['Later', function () { move(0.5); }],
              ['Whole run', function () { show(0, whole); }]
            ].forEach(function (tool) {
              var button = document.createElement('button');
              button.type = 'button';
              button.textContent = tool[0];
              button.addEventListener('click', tool[1]);
              tools.append(button);
            });
            function tell() { label.textContent = span(range[0]) + ' to ' + span(range[1]); }
            tools.append(label);
            tell();
            followers.push(tell);
            figures[0].before(tools);
          }
          /* Moves what the drawing has placed by percentages of the whole run. */
          function followTimeline(drawing) {
            var parts = [];
            var axis = [];
            drawing.querySelectorAll('*').forEach(function (part) {
              if (part.closest('defs')) return;
              if (part.matches('svg.timeline > .grid, svg.timeline > .tick')) {
                axis.push(part);
                return;
              }
              ['x', 'x1', 'x2', 'cx'].forEach(function (name) {
                var value = part.getAttribute(name);
                if (!value || value.slice(-1) !== '%') return;
                parts.push({ part: part, name: name, at: parseFloat(value) / 100,
                  width: name === 'x' ? parseFloat(part.getAttribute('width') || '0') / 100 : 0 });
              });
            });
            var added = [];
            followers.push(function (range) {
              var from = range[0] / whole;
              var scale = whole / (range[1] - range[0]);
              var isWhole = scale === 1;
              parts.forEach(function (one) {
                var begin = (one.at - from) * scale;
                var end = begin + one.width * scale;
                if (one.width) {
                  begin = Math.min(Math.max(begin, 0), 1);
                  end = Math.min(Math.max(end, 0), 1);
                  one.part.setAttribute('width', (end - begin) * 100 + '%');
                }
                one.part.setAttribute(one.name, begin * 100 + '%');
              });
              added.forEach(function (part) { part.remove(); });
              added = [];
              axis.forEach(function (part) { part.style.display = isWhole ? '' : 'none'; });
              drawing.style.overflow = isWhole ? 'visible' : 'hidden';
              if (isWhole) return;
              var line = axis.find(function (part) { return part.matches('.grid'); });
              var word = axis.find(function (part) { return part.matches('.tick'); });
              ticks(range[0], range[1]).forEach(function (at) {
                var x = (at / whole - from) * scale * 100 + '%';
                var rule = line.cloneNode();
                var text = word.cloneNode();
                rule.setAttribute('x1', x);
                rule.setAttribute('x2', x);
                text.setAttribute('x', x);
                text.setAttribute('text-anchor', 'middle');
                text.textContent = span(at);
                [rule, text].forEach(function (part) {
                  part.style.display = '';
                  added.push(part);
                });
                axis[0].before(rule);
                drawing.append(text);
              });
            });
          }
          var listeners = [];
          /* One cursor for all figures; each tells its own values. */
          function addCursors() {
            figures.forEach(function (figure) {
              var line = document.createElement('div');
              line.className = 'cursor';
              line.hidden = true;
              figure.append(line);
              figure.addEventListener('mousemove', function (event) { point(figure, event); });
              figure.addEventListener('mouseleave', function () { tell(null); });
              figure.addEventListener('dblclick', function () { show(0, whole); });
              listeners.push(function (at) {
                line.hidden = at === null || at < range[0] || at > range[1];
                if (line.hidden) return;
                var plot = plotOf(figure);
                var share = (at - range[0]) / (range[1] - range[0]);
                line.style.left = plot.offset + share * plot.width + 'px';
                line.dataset.time = span(at);
              });
            });
          }
          function plotOf(figure) {
            var plots = Array.from(figure.querySelectorAll('.live, svg.timeline, svg.still'));
            var box = plots.find(function (one) { return one.getBoundingClientRect().width > 0; })
              .getBoundingClientRect();
            return { left: box.left, width: box.width,
              offset: box.left - figure.getBoundingClientRect().left };
          }
          function timeAt(figure, x) {
            var plot = plotOf(figure);
            var share = Math.min(1, Math.max(0, (x - plot.left) / plot.width));
            return range[0] + share * (range[1] - range[0]);
          }
          function point(figure, event) { tell(timeAt(figure, event.clientX)); }
          function tell(at) { listeners.forEach(function (listen) { listen(at); }); }
          /* Dragging over the timeline shows the stretch of time, as it does in a chart. */
          function zoomByDragging(drawing) {
            var figure = drawing.closest('figure');
            var from = null;
            drawing.addEventListener('mousedown', function (event) {
              from = event.clientX;
              event.preventDefault();
            });
            window.addEventListener('mouseup', function (event) {
              if (from === null) return;
              var ends = [from, event.clientX].sort(function (a, b) { return a - b; });
              from = null;
              if (ends[1] - ends[0] > 5) show(timeAt(figure, ends[0]), timeAt(figure, ends[1]));
            });
          }
          if (whole > 0) {
            document.querySelectorAll('svg.timeline').forEach(function (drawing) {
              followTimeline(drawing);
              zoomByDragging(drawing);
            });
            addTools();
            addCursors();
            // Paper shows the whole run.
            window.addEventListener('beforeprint', function () { show(0, whole); });
          }
          return { digits: digits, span: span, ticks: ticks, show: show, followers: followers,
            listeners: listeners, tell: tell };
        }());
        """
}
