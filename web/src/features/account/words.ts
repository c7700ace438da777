import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/account.ts';

export const { useWords, say } = catalogue('account', english);
