/// The script that filters the events of a run by subject and text.
enum EventScript {
    static let text = """
        (function () {
          'use strict';
          var tools = document.getElementById('event-tools');
          if (!tools) return;
          var rows = Array.from(document.querySelectorAll('#event-rows tbody tr'));
          tools.hidden = false;
          tools.addEventListener('submit', function (event) { event.preventDefault(); });
          tools.addEventListener('input', function () {
            var subject = tools.elements.subject.value;
            var words = tools.elements.words.value.toLowerCase().split(/\\s+/).filter(Boolean);
            var shown = 0;
            rows.forEach(function (row) {
              var text = row.textContent.toLowerCase();
              row.hidden = Boolean(subject) && row.cells[2].textContent !== subject
                || !words.every(function (word) { return text.indexOf(word) >= 0; });
              if (!row.hidden) shown += 1;
            });
            tools.querySelector('output').textContent =
              subject || words.length ? shown + ' of ' + rows.length + ' events' : '';
          });
          /* A link to an event leads to it, even if it is folded or filtered away. */
          window.addEventListener('hashchange', function () {
            var row = document.getElementById(location.hash.slice(1));
            if (!row || !row.closest('#event-rows')) return;
            row.closest('details').open = true;
            row.hidden = false;
            row.scrollIntoView();
          });
        }());
        """
}
