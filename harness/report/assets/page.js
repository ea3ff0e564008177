(function () {
  "use strict";
  var all = function (selector, from) { return Array.prototype.slice.call((from || document).querySelectorAll(selector)); };

  // What a filter works on: the entries below one root, hidden as the pressed buttons and the words say.
  all("[data-filter]").forEach(function (root) {
    var tools = root.querySelector(".tools");
    var search = tools.querySelector("input");
    var buttons = all("button[data-show]", tools);
    var entries = all("[data-is]", root).map(function (node) {
      return { node: node, kinds: node.dataset.is.split(" "), words: node.dataset.words || "" };
    });
    var groups = all("[data-group]", root);
    var none = root.querySelector(".none");
    tools.hidden = false;

    var apply = function () {
      var kinds = buttons.filter(function (b) { return b.getAttribute("aria-pressed") === "true"; })
        .map(function (b) { return b.dataset.show; });
      var words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      var shown = 0;
      entries.forEach(function (entry) {
        if (words.length > 0 && entry.words === "") {
          var head = entry.node.querySelector("summary, th") || entry.node;
          entry.words = (head.textContent + " " + (entry.node.dataset.rules || "")).toLowerCase();
        }
        var visible = (kinds.length === 0 || kinds.some(function (k) { return entry.kinds.indexOf(k) >= 0; })) &&
          words.every(function (word) { return entry.words.indexOf(word) >= 0; });
        entry.node.hidden = !visible;
        shown += visible ? 1 : 0;
      });
      groups.forEach(function (group) {
        group.hidden = !all("[data-is]", group).some(function (node) { return !node.hidden; });
      });
      if (none) { none.hidden = shown > 0; }
    };
    root.reveal = function () {
      search.value = "";
      buttons.forEach(function (b) { b.setAttribute("aria-pressed", "false"); });
      apply();
    };
    buttons.forEach(function (button) {
      button.addEventListener("click", function () {
        button.setAttribute("aria-pressed", button.getAttribute("aria-pressed") === "true" ? "false" : "true");
        apply();
      });
    });
    search.addEventListener("input", apply);
    search.addEventListener("keydown", function (event) {
      if (event.key === "Escape") { root.reveal(); search.blur(); }
    });
    all("button[data-open]", tools).forEach(function (button) {
      button.addEventListener("click", function () {
        var open = button.dataset.open === "1";
        entries.forEach(function (entry) { if (!entry.node.hidden) { entry.node.open = open; } });
        button.dataset.open = open ? "0" : "1";
        button.textContent = open ? "Close all" : "Open all";
      });
    });
  });

  // A link to a case shows it, whatever is filtered away or folded.
  var follow = function () {
    var node = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!node) { return; }
    var root = node.closest("[data-filter]");
    if (root && node.hidden) { root.reveal(); }
    if (node.tagName === "DETAILS") { node.open = true; }
    node.scrollIntoView();
  };
  all(".again").forEach(function (line) {
    if (!navigator.clipboard) { return; }
    var button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "copy";
    button.addEventListener("click", function () {
      navigator.clipboard.writeText(line.querySelector("code").textContent).then(function () {
        button.textContent = "copied";
      });
    });
    line.appendChild(button);
  });

  addEventListener("keydown", function (event) {
    var search = document.querySelector("input[type=search]");
    if (event.key === "/" && search && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      search.focus();
    }
  });

  addEventListener("hashchange", follow);
  var folded = [];
  addEventListener("beforeprint", function () {
    folded = all("details:not([open])").filter(function (d) { return /\b(fail|warn|ended|stuck|hang|crash|error)\b/.test(d.className); });
    folded.forEach(function (d) { d.open = true; });
  });
  addEventListener("afterprint", function () { folded.forEach(function (d) { d.open = false; }); });
  follow();
})();
