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
