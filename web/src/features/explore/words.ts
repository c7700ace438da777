import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/explore.ts';

export const { useWords, say } = catalogue('explore', english);
