import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/board.ts';

export const { useWords: useBoardWords } = catalogue('board', english);
