import type { PlaceCategory } from '@wayquest/contracts';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';
import { App } from './app/App.tsx';
import { createStore } from './app/store.ts';
import { PlacePicture } from './entities/challenges/pictures/PlacePicture.tsx';
import { type Language, languages } from './shared/i18n/catalogue.ts';
import { languageTags, loadLanguage } from './shared/i18n/language.ts';
import { createNavigator } from './shared/lib/navigator.ts';
import { nameSite } from './shared/lib/site.ts';
import { browserUnsentItems } from './shared/lib/unsent-items.ts';

// A placeholder, which the gateway replaces.
nameSite('__SITE_NAME__');

const never = new Promise<never>(() => {});

/** Options of a prerendered page. */
export interface PrerenderOptions {
  path: string;
  role: 'visitor' | 'member';
  language: Language;
}

/** Renders a page as a visitor sees it before any data is loaded, or as a member before the session is known. */
export async function prerenderPage({ path, role, language }: PrerenderOptions): Promise<string> {
  await loadLanguage(language);
  const navigator = createNavigator();
  const store = createStore({
    api: () => never,
    socket: () => never,
    tokens: {
      read: () => (role === 'member' ? 'a token' : null),
      write: () => {},
      clear: () => {},
      watch: () => () => {},
    },
    formDrafts: { read: () => undefined, write: () => {}, keepOnly: () => {}, clear: () => {} },
    unsentItems: browserUnsentItems,
    navigator,
    devicePosition: () => never,
    askServerTime: () => never,
  });
  let failure: unknown;
  const { prelude } = await prerender(
    <App
      store={store}
      navigator={navigator}
      Router={({ children }) => <StaticRouter location={path}>{children}</StaticRouter>}
    />,
    {
      // Otherwise React moves long content behind an inline script.
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      // Otherwise it only logs an error within a boundary, and the page lacks what is in there.
      onError: (error) => {
        failure ??= error;
      },
    },
  );
  if (failure) throw failure;
  return new Response(prelude).text();
}

/** The picture of a kind of place, in evening light. */
export const renderPlacePicture = (placeCategory: PlaceCategory): string =>
  renderToStaticMarkup(<PlacePicture challenge={{ id: 2, name: '', locationName: '', placeCategory }} />);

export { languages, languageTags };
