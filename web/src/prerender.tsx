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

const never = new Promise<never>(() => {});
const api = () => never;
const nothing = { read: () => [], write: () => {} };

/** A page to be drawn, for whom and in which language. */
export interface Drawing {
  path: string;
  who: 'visitor' | 'member';
  language: Language;
}

/** What a visitor sees at a path before anything was asked of a service; of a member, before it is known who they are. */
export async function drawPage({ path, who, language }: Drawing): Promise<string> {
  await loadLanguage(language);
  const navigator = createNavigator();
  const store = createStore({
    api,
    socket: () => never,
    tokens: {
      read: () => (who === 'member' ? 'a token' : null),
      write: () => {},
      clear: () => {},
      watch: () => () => {},
    },
    drafts: nothing,
    formDrafts: { read: () => undefined, write: () => {}, keepOnly: () => {}, clear: () => {} },
    unsent: nothing,
    pendingCompletions: nothing,
    navigator,
    devicePosition: () => never,
  });
  const { prelude } = await prerender(
    <App
      api={api}
      store={store}
      navigator={navigator}
      Router={({ children }) => <StaticRouter location={path}>{children}</StaticRouter>}
    />,
    // Else React writes what is long behind a script that puts it into its place.
    { progressiveChunkSize: Number.MAX_SAFE_INTEGER },
  );
  return new Response(prelude).text();
}

/** The picture of a kind of place, in the light of the evening. */
export const drawPicture = (placeCategory: PlaceCategory): string =>
  renderToStaticMarkup(<PlacePicture challenge={{ id: 2, name: '', locationName: '', placeCategory }} />);

export { languages, languageTags };
