import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/challenge.ts';

export const { useWords: useChallengeWords, say: sayOfChallenge } = catalogue('challenge', english);
