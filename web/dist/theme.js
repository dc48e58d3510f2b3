// Runs before the first paint, so that a chosen theme or language does not flash. Not inline: the page policy forbids that.
(function (root) {
  var theme = null;
  var language = null;
  try {
    theme = localStorage.getItem('boyi-theme');
    language = localStorage.getItem('boyi-language');
  } catch (error) {
    // Storage is forbidden: the system decides.
  }
  if (theme !== 'light' && theme !== 'dark') theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  root.dataset.theme = theme;
  root.lang = (language || navigator.language).slice(0, 2).toLowerCase() === 'zh' ? 'zh-CN' : 'en';
})(document.documentElement);
