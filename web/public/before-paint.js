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

// The data of the first page are requested while the app's code is loaded. The app takes these responses instead of making
// the calls itself (`shared/lib/early-data.ts`), so the URLs are those of its calls; `early-data.test.ts` compares them. Calls
// that wait for the live connection are not made here: what arrived between both would be missed.
(() => {
  let token = null;
  let language = null;
  /** Id of the member: only to know which data are their own, since the server verifies the token. */
  let me = '';
  try {
    language = localStorage.getItem('wayquest-language');
    token = localStorage.getItem('token');
    if (token) {
      const claims = JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')));
      if (claims.exp * 1000 > Date.now()) me = claims.sub;
    }
  } catch {}
  if (token && !me) return;
  const path = location.pathname.toLowerCase().replace(/\/$/, '');
  const id = path.match(/^\/(?:challenges|users|messenger)\/(\d+)$/)?.[1];
  /** For everybody, and for members. */
  const pages = {
    '/home': [
      [],
      ['/api/challengeLine/?completed=false&limit=100', '/api/challengeLine/?completed=true&limit=500'],
    ],
    '/challenges/#': [
      [`/api/challenges/${id}`, `/api/challengeLine/?challengeId=${id}`],
      [`/api/challengeLine/?challengeId=${id}&userId=${me}`, `/api/challenges/${id}/log`],
    ],
    '/challenges': [
      ['/api/challenges/?scope=all&limit=24&phase=current&total=true'],
      ['/api/challengeLine/?limit=500'],
    ],
    '/leaderboard': [['/api/leaderboard?page=1&scope=all'], ['/api/leaderboard?scope=all&around=me']],
    '/users/#': [[], [`/api/users/${id}`, '/api/blocks/', `/api/trails/${id}`]],
    '/profile': [[], [`/api/trails/${me}`]],
    '/messenger/#': [[], [`/api/messages/${id}?limit=50`, '/api/chat/preferences']],
    '/messenger': [[], ['/api/chat/preferences']],
  };
  const [ofAll, ofPage] = (!location.search && pages[id ? path.replace(id, '#') : path]) || [[], []];
  const request = (url) => {
    const aborting = new AbortController();
    const headers = {
      accept: 'application/json',
      ...(language && { 'accept-language': language }),
      ...(token && { authorization: token }),
    };
    const response = fetch(url, { headers, signal: aborting.signal });
    response.catch(() => {});
    return [url, { response, abort: (reason) => aborting.abort(reason) }];
  };
  window.earlyData = {
    token,
    responses: new Map([...(me ? ['/auth/me'] : []), ...ofAll, ...(me ? ofPage : [])].map(request)),
  };
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
