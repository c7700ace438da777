import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/profile.ts';

export const { useWords, say } = catalogue('profile', english);
