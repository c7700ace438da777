import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/finish.ts';

export const { useWords } = catalogue('finish', english);
