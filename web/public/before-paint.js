// Runs before the first paint, so that a dark page never flashes light, a member sees nothing that is for visitors, and
// nobody another language than the one they chose.
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

// Without its first script a page can only be looked at: it is loaded anew, after one second, two, four and at last every
// minute. What counts them is forgotten once the app has started; a browser that keeps nothing leaves it to the person.
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
    const again = setTimeout(() => location.reload(), 1000 * Math.min(2 ** tries, 60));
    // Whoever has followed a link meanwhile gets there.
    addEventListener('beforeunload', () => clearTimeout(again));
  },
  true,
);
