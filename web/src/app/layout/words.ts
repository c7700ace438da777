import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/layout.ts';

export const { useWords } = catalogue('layout', english);
