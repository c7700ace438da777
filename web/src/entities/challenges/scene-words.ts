import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/scenes.ts';

/** The kinds of places. */
export const { useWords: useSceneWords } = catalogue('scenes', english);
