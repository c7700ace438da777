import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/trail.ts';

export const { useWords } = catalogue('trail', english);
