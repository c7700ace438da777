import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/admin.ts';

export const { useWords } = catalogue('admin', english);
