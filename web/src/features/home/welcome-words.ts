import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/welcome.ts';

export const { useWords: useWelcomeWords } = catalogue('welcome', english);
