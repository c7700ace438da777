import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/challenges.ts';

export const { useWords } = catalogue('challenges', english);
