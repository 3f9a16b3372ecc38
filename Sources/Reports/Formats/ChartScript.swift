/// The script that makes a static chart zoomable, if JavaScript and dygraphs are available.
/// The static picture stays in the page for printing.
enum ChartScript {
    static let text = """
        (function () {
          'use strict';
          if (typeof Dygraph === 'undefined') return;
          var graphs = [];
          var range = null;
          function digits(value) { return String(Number(value.toPrecision(4))); }
          function worded(value, unit) {
            var steps = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']];
            for (var i = 0; i < steps.length; i += 1) {
              if (Math.abs(value) >= steps[i][0]) {
                return digits(value / steps[i][0]) + ' ' + steps[i][1] + unit;
              }
            }
            return digits(value) + ' ' + unit;
          }
          function colour(name) {
            return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
          }
          function colours(count) {
            var list = [];
            for (var i = 0; i < count; i += 1) list.push(colour('--series-' + (i % 6 + 1)));
            return list;
          }
          /* Draws the whole line as one path. dygraphs begins a path at every step, so that the
             dash pattern starts again and no step is long enough to show a dash. */
          function drawSteps(line) {
            var context = line.drawingContext;
            var level = null;
            context.save();
            context.strokeStyle = line.color;
            context.lineWidth = line.strokeWidth;
            context.setLineDash(line.dygraph.getOption('strokePattern', line.setName) || []);
            context.beginPath();
            line.points.forEach(function (point) {
              if (!isFinite(point.canvasy)) return;
              if (level === null) {
                context.moveTo(point.canvasx, point.canvasy);
              } else {
                context.lineTo(point.canvasx, level);
                context.lineTo(point.canvasx, point.canvasy);
              }
              level = point.canvasy;
            });
            context.stroke();
            context.restore();
          }
          /* Merges steps that cannot be told apart; zooming in shows the single steps. */
          function smooth(graph) {
            if (!graph.getOption('stepPlot')) return;
            var range = graph.xAxisRange();
            var visible = 0;
            for (var row = 0; row < graph.numRows(); row += 1) {
              var at = graph.getValue(row, 0);
              if (at >= range[0] && at <= range[1]) visible += 1;
            }
            var roll = Math.max(1, Math.round(visible / 160));
            if (graph.rollPeriod() !== roll) graph.adjustRoll(roll);
          }
          /* Zooming one chart zooms the others to the same stretch of time. */
          function follow(graph, first) {
            smooth(graph);
            if (first) return;
            var next = graph.xAxisRange();
            if (range && range[0] === next[0] && range[1] === next[1]) return;
            range = next;
            graphs.forEach(function (other) {
              if (other !== graph) other.updateOptions({ dateWindow: next });
            });
          }
          document.querySelectorAll('figure[data-chart]').forEach(function (figure) {
            var source = document.getElementById(figure.dataset.chart);
            var data = JSON.parse(source.textContent);
            var place = figure.querySelector('.live');
            figure.classList.add('upgraded');
            var series = {};
            data.labels.forEach(function (label, order) {
              series[label] = { strokePattern: order % 2 ? [6, 3] : null };
            });
            graphs.push(new Dygraph(place, data.rows, {
              labels: ['s'].concat(data.labels),
              dateWindow: [0, data.seconds],
              colors: colours(data.labels.length),
              series: series,
              connectSeparatedPoints: true,
              stepPlot: data.unit === 'bit/s',
              plotter: data.unit === 'bit/s'
                ? [Dygraph.Plotters.fillPlotter, drawSteps] : Dygraph.Plotters.linePlotter,
              fillGraph: data.unit === 'bit/s',
              fillAlpha: 0.12,
              strokeWidth: 1.6,
              includeZero: true,
              legend: 'follow',
              gridLineColor: colour('--line'),
              axisLineColor: colour('--line'),
              highlightCircleSize: 3,
              valueRange: [0, data.greatest],
              underlayCallback: function (context, area, graph) {
                context.save();
                context.strokeStyle = colour('--quiet');
                context.setLineDash([2, 3]);
                data.references.forEach(function (value) {
                  var y = graph.toDomYCoord(value);
                  context.beginPath();
                  context.moveTo(area.x, y);
                  context.lineTo(area.x + area.w, y);
                  context.stroke();
                });
                context.restore();
              },
              drawCallback: follow,
              axes: {
                x: {
                  axisLabelFormatter: function (value) { return digits(value) + ' s'; },
                  valueFormatter: function (value) { return value.toFixed(3) + ' s'; }
                },
                y: {
                  axisLabelWidth: 76,
                  axisLabelFormatter: function (value) { return worded(value, data.unit); },
                  valueFormatter: function (value) { return worded(value, data.unit); }
                }
              }
            }));
          });
          window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', function () {
            graphs.forEach(function (graph) {
              graph.updateOptions({
                colors: colours(graph.numColumns() - 1),
                gridLineColor: colour('--line'),
                axisLineColor: colour('--line')
              });
            });
          });
        }());
        """
}
