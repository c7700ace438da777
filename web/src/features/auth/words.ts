import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/auth.ts';

export const { useWords } = catalogue('auth', english);
