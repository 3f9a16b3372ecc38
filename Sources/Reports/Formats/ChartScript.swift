/// The script that makes a static chart zoomable, if JavaScript and dygraphs are available.
/// The static picture stays in the page for printing.
enum ChartScript {
    static let text = """
        (function () {
          'use strict';
          if (typeof Dygraph === 'undefined') return;
          var graphs = [];
          var digits = TransferLab.digits;
          function worded(value, unit) {
            if (unit === 's') return TransferLab.span(value);
            if (unit === 'packets') return digits(value) + ' packets';
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
          function colours(numbers) {
            return numbers.map(function (number) { return colour('--series-' + number); });
          }
          var looks = {
            solid: { strokePattern: null },
            dashed: { strokePattern: [6, 3] },
            slope: { strokePattern: [2, 3], stepPlot: false,
              plotter: Dygraph.Plotters.linePlotter },
            dots: { strokeWidth: 0, drawPoints: true, pointSize: 2.5, stepPlot: false,
              plotter: Dygraph.Plotters.linePlotter }
          };
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
            if (!graph.getOption('fillGraph')) return;
            var range = graph.xAxisRange();
            var visible = 0;
            for (var row = 0; row < graph.numRows(); row += 1) {
              var at = graph.getValue(row, 0);
              if (at >= range[0] && at <= range[1]) visible += 1;
            }
            var roll = Math.max(1, Math.round(visible / 160));
            if (graph.rollPeriod() !== roll) graph.adjustRoll(roll);
          }
          function follow(graph, isFirst) {
            smooth(graph);
            if (isFirst) return;
            var range = graph.xAxisRange();
            TransferLab.show(range[0], range[1]);
          }
          function levels(least, greatest) {
            var power = Math.pow(10, Math.floor(Math.log10((greatest - least) / 3)));
            var factor = [5, 2, 1].find(function (one) {
              return one * power <= (greatest - least) / 3;
            });
            var list = [];
            for (var n = 1; n * factor * power < greatest; n += 1) list.push(n * factor * power);
            return list;
          }
          function ticked(values, word) {
            return values.map(function (value) { return { v: value, label: word(value) }; });
          }
          /* Writes the values at the left edge, so that all plots are as wide as the timeline. */
          function label(context, area, graph, data) {
            var range = graph.yAxisRange();
            context.font = '11.5px sans-serif';
            context.lineWidth = 4;
            levels(range[0], range[1]).forEach(function (value) {
              var y = Math.max(graph.toDomYCoord(value) - 4, area.y + 11);
              context.strokeStyle = colour('--panel');
              context.strokeText(worded(value, data.unit), area.x, y);
              context.fillStyle = colour('--quiet');
              context.fillText(worded(value, data.unit), area.x, y);
            });
          }
          function drawReferences(context, area, graph, data) {
            context.save();
            context.strokeStyle = colour('--quiet');
            data.references.forEach(function (one) {
              var y = graph.toDomYCoord(one.value);
              context.setLineDash(one.isTheory ? [9, 3, 2, 3] : [2, 3]);
              context.beginPath();
              context.moveTo(area.x, y);
              context.lineTo(area.x + area.w, y);
              context.stroke();
            });
            context.restore();
          }
          /* Tells the value of each line at a time: the latest one up to then. */
          function tellValues(figure, data) {
            var room = document.createElement('p');
            room.className = 'values';
            figure.querySelector('figcaption').append(room);
            TransferLab.listeners.push(function (at) {
              if (at === null) {
                room.textContent = '';
                return;
              }
              var values = data.labels.map(function (name, line) {
                var value = null;
                for (var row = 0; row < data.rows.length && data.rows[row][0] <= at; row += 1) {
                  if (data.rows[row][line + 1] !== null) value = data.rows[row][line + 1];
                }
                return name + ' ' + (value === null ? 'nothing' : worded(value, data.unit));
              });
              room.textContent = TransferLab.span(at) + ': ' + values.join(', ');
            });
          }
          document.querySelectorAll('figure[data-chart]').forEach(function (figure) {
            var source = document.getElementById(figure.dataset.chart);
            var data = JSON.parse(source.textContent);
            var place = figure.querySelector('.live');
            figure.classList.add('upgraded');
            var series = {};
            data.labels.forEach(function (name, order) {
              series[name] = looks[data.looks[order]]
                || { strokePattern: order % 2 ? [6, 3] : null };
            });
            tellValues(figure, data);
            graphs.push(new Dygraph(place, data.rows, {
              labels: ['s'].concat(data.labels),
              dateWindow: [0, data.seconds],
              colors: colours(data.colours),
              series: series,
              connectSeparatedPoints: true,
              stepPlot: data.isStepped,
              plotter: !data.isStepped ? Dygraph.Plotters.linePlotter
                : data.isFilled ? [Dygraph.Plotters.fillPlotter, drawSteps] : drawSteps,
              fillGraph: data.isFilled,
              fillAlpha: 0.12,
              strokeWidth: 1.6,
              includeZero: true,
              legend: 'never',
              gridLineColor: colour('--line'),
              axisLineColor: colour('--line'),
              highlightCircleSize: 0,
              rightGap: 0,
              valueRange: [0, data.greatest],
              underlayCallback: function (context, area, graph) {
                drawReferences(context, area, graph, data);
                label(context, area, graph, data);
              },
              drawCallback: follow,
              axes: {
                x: {
                  ticker: function (from, to) {
                    return ticked(TransferLab.ticks(from, to), TransferLab.span);
                  }
                },
                y: {
                  drawAxis: false,
                  ticker: function (least, greatest) {
                    return ticked(levels(least, greatest), String);
                  }
                }
              }
            }));
            graphs[graphs.length - 1].colourNumbers = data.colours;
          });
          TransferLab.followers.push(function (range) {
            graphs.forEach(function (graph) {
              var shown = graph.xAxisRange();
              if (shown[0] === range[0] && shown[1] === range[1]) return;
              graph.updateOptions({ dateWindow: range });
            });
          });
          window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', function () {
            graphs.forEach(function (graph) {
              graph.updateOptions({
                colors: colours(graph.colourNumbers),
                gridLineColor: colour('--line'),
                axisLineColor: colour('--line')
              });
            });
          });
        }());
        """
}
