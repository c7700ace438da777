import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/home.ts';

export const { useWords } = catalogue('home', english);
