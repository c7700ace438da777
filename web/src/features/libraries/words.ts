import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/libraries.ts';

export const { useWords } = catalogue('libraries', english);
