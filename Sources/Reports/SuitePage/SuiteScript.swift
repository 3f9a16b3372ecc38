/// The script that lets a reader search, filter, sort and regroup the runs of a suite.
enum SuiteScript {
    static let text = """
        (function () {
          'use strict';
          var tools = document.getElementById('tools');
          var folders = document.getElementById('folders');
          var regrouped = document.createElement('div');
          var rules = tools.dataset.rules.split(' ');
          var open = new Map();
          var texts = new WeakMap();
          tools.hidden = false;
          folders.after(regrouped);
          folders.querySelectorAll('details.folder').forEach(function (folder) {
            open.set(folder, folder.open);
          });
          function files(place) { return Array.from(place.querySelectorAll('tbody[data-s]')); }
          function tags(file) {
            return Array.from(file.querySelectorAll('code ~ i')).map(function (tag) {
              return tag.textContent;
            });
          }
          function text(file) {
            if (!texts.has(file)) {
              var folder = file.closest('details.folder').querySelector('h3').textContent;
              texts.set(file, (folder + '/' + file.textContent).toLowerCase());
            }
            return texts.get(file);
          }
          function judges(file, rule) {
            return BigInt('0x' + file.dataset.r) >> BigInt(rules.indexOf(rule)) & 1n;
          }
          function fits(file, wanted) {
            return (!wanted.status || file.dataset.s === wanted.status)
              && (!wanted.tag || tags(file).indexOf(wanted.tag) >= 0)
              && (!wanted.rule || judges(file, wanted.rule))
              && wanted.words.every(function (word) { return text(file).indexOf(word) >= 0; });
          }
          /* The scenario's name, without the badge before it and the words below it. */
          function name(file) {
            return Array.from(file.rows[0].cells[0].childNodes).filter(function (node) {
              return ['A', 'BDI', '#text'].indexOf(node.nodeName) >= 0;
            }).map(function (node) { return node.textContent; }).join('').trim().toLowerCase();
          }
          function value(name) { return tools.elements[name] ? tools.elements[name].value : ''; }
          /* Shows the files that fit, and unfolds their folders. */
          function filter() {
            var wanted = {
              status: value('status'), tag: value('tag'), rule: value('rule'),
              words: value('words').toLowerCase().split(/\\s+/).filter(Boolean)
            };
            var isWide = !wanted.status && !wanted.tag && !wanted.rule && !wanted.words.length;
            var place = regrouped.hidden ? folders : regrouped;
            var shown = 0;
            var all = 0;
            place.querySelectorAll('details.folder').forEach(function (folder) {
              var here = 0;
              files(folder).forEach(function (file) {
                file.hidden = !fits(file, wanted);
                all += 1;
                if (!file.hidden) here += 1;
              });
              shown += here;
              folder.hidden = here === 0;
              folder.open = isWide ? open.get(folder) !== false : true;
            });
            tools.querySelector('output').textContent =
              isWide ? '' : shown + ' of ' + all + (all === 1 ? ' file' : ' files');
          }
          function group() {
            var kind = value('group');
            regrouped.replaceChildren();
            regrouped.hidden = kind === 'folder';
            folders.hidden = !regrouped.hidden;
            if (regrouped.hidden) return filter();
            var head = folders.querySelector('thead');
            var groups = new Map();
            files(folders).forEach(function (file) {
              var names = kind === 'tag' ? tags(file) : ['all files'];
              if (!names.length) names = ['no tag'];
              names.forEach(function (name) {
                if (!groups.has(name)) groups.set(name, []);
                groups.get(name).push(file);
              });
            });
            Array.from(groups.keys()).sort().forEach(function (name) {
              var folder = document.createElement('details');
              var summary = document.createElement('summary');
              var title = document.createElement('h3');
              var count = document.createElement('span');
              var table = document.createElement('table');
              var room = document.createElement('div');
              var red = groups.get(name).filter(function (file) {
                return file.dataset.s === 'red';
              }).length;
              folder.className = 'folder';
              room.className = 'scroll';
              title.textContent = name;
              count.className = red ? 'badge red' : 'badge green';
              count.textContent = (red ? '\\u2718 ' + red + ' of ' : '\\u2714 ')
                + groups.get(name).length + (groups.get(name).length === 1 ? ' file' : ' files');
              table.className = 'runs';
              table.append(head.cloneNode(true));
              groups.get(name).forEach(function (file) {
                var copy = file.cloneNode(true);
                texts.set(copy, text(file));
                table.append(copy);
              });
              summary.append(title, ' ', count);
              room.append(table);
              folder.append(summary, room);
              open.set(folder, groups.size === 1 || red > 0);
              regrouped.append(folder);
            });
            listen(regrouped);
            filter();
          }
          /* Sorts every table by a column; a second click turns the order round. */
          function sort(column, isDown) {
            document.querySelectorAll('details.folder table.runs').forEach(function (table) {
              if (!table.tHead) return;
              var rows = Array.from(table.tBodies);
              rows.sort(function (left, right) {
                if (column === 0) return name(left) < name(right) ? -1 : 1;
                var a = left.dataset.v.split(' ')[column - 1];
                var b = right.dataset.v.split(' ')[column - 1];
                if (a === '' || b === '') return (a === '') - (b === '');
                return (isDown ? -1 : 1) * (a - b);
              });
              if (column === 0 && isDown) rows.reverse();
              table.append.apply(table, rows);
              Array.from(table.tHead.rows[0].cells).forEach(function (cell, place) {
                if (place === column) {
                  cell.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
                } else {
                  cell.removeAttribute('aria-sort');
                }
              });
            });
          }
          function listen(place) {
            place.querySelectorAll('details.folder thead th').forEach(function (cell) {
              var column = cell.cellIndex;
              var button = cell.querySelector('button') || document.createElement('button');
              if (!button.parentNode) {
                button.type = 'button';
                button.textContent = cell.textContent;
                cell.replaceChildren(button);
              }
              button.addEventListener('click', function () {
                sort(column, cell.getAttribute('aria-sort') === 'ascending');
              });
            });
          }
          listen(folders);
          regrouped.hidden = true;
          tools.addEventListener('submit', function (event) { event.preventDefault(); });
          tools.addEventListener('input', function (event) {
            if (event.target.name === 'group') group(); else filter();
          });
        }());
        """
}
