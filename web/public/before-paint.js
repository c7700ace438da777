// Runs before the first paint: a dark page must not flash light, and a prerendered page must not show a member what is for
// visitors, nor anybody another language than the one they chose.
(() => {
  const { dataset, lang } = document.documentElement;
  let scheme = 'auto';
  try {
    scheme = localStorage.getItem('mantine-color-scheme-value') ?? 'auto';
    if (localStorage.getItem('token')) dataset.session = 'kept';
    if (!lang.startsWith(localStorage.getItem('wayquest-language') ?? '')) dataset.language = 'other';
  } catch {}
  const dark =
    scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  dataset.mantineColorScheme = dark ? 'dark' : 'light';
})();

// Without its entry script a page cannot be used, so it is reloaded: after 1 s, 2 s, 4 s, and finally every minute. The app resets
// the count when it has started. A browser without session storage does not reload, since it could not count.
addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return;
    let tries;
    try {
      tries = Number(sessionStorage.getItem('wayquest-tries'));
      sessionStorage.setItem('wayquest-tries', String(tries + 1));
    } catch {
      return;
    }
    const reloadTimer = setTimeout(() => location.reload(), 1000 * Math.min(2 ** tries, 60));
    // If the user follows a link meanwhile, that page must not be reloaded.
    addEventListener('beforeunload', () => clearTimeout(reloadTimer));
  },
  true,
);
