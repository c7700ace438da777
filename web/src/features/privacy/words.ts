import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/privacy.ts';

export const { useWords } = catalogue('privacy', english);
