import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/notifications.ts';

export const { useWords } = catalogue('notifications', english);
