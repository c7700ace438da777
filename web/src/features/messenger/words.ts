import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/messenger.ts';

export const { useWords } = catalogue('messenger', english);
