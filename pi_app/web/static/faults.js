// Says what a page's own scripts can't: that they did not begin, or made a mistake. It runs in browsers that
// are too old for them, so it is no module and has the language of 2009.

(function () {
  var SLOW_MS = 5000;
  var begun = false;

  function tell(words) {
    var place = document.getElementById("fault");
    place.textContent = words;
    place.hidden = words === "";
  }

  function tellOld() {
    tell(document.getElementById("fault").getAttribute("data-old"));
  }

  function fail(error) {
    var words = document.getElementById("fault").getAttribute("data-mistake");
    if (begun) tell(words.replace("{what}", function () { return String(error); }));
    else tellOld();
  }

  var timer = setTimeout(tellOld, SLOW_MS);

  // A page calls this as soon as its browser has read all its scripts.
  window.begin = function () {
    begun = true;
    clearTimeout(timer);
    tell("");
  };

  addEventListener("error", function (event) {
    if (event.error) fail(event.error); // without one it is of the browser itself
  });
  addEventListener("unhandledrejection", function (event) { fail(event.reason); });
})();
