import { catalogue } from '../i18n/catalogue.ts';
import english from '../i18n/en/picture.ts';
import type { PictureProblem } from './shrink-picture.ts';

const { translate } = catalogue('picture', english);

/** Returns a sentence that says why a picture cannot be uploaded. */
export const pictureProblemSentence = (problem: PictureProblem): string =>
  translate(problem === 'unread' ? 'unread' : 'notShrunk');
