import { catalogue } from '../i18n/catalogue.ts';
import english from '../i18n/en/picture.ts';
import type { PictureProblem } from './shrink-picture.ts';

const { say } = catalogue('picture', english);

/** Returns a sentence that says why a picture cannot be uploaded. */
export const pictureProblemSentence = (problem: PictureProblem): string =>
  say(problem === 'unread' ? 'unread' : 'notShrunk');
