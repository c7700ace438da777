import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/blocks.ts';

export const { useWords: useBlockWords } = catalogue('blocks', english);
