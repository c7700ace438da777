import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/search.ts';

export const { useWords: useSearchWords } = catalogue('search', english);
