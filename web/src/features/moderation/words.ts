import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/moderation.ts';

export const { useWords } = catalogue('moderation', english);
