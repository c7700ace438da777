import { blocksSaga } from '../../entities/blocks/saga.ts';
import { sagasCame } from '../come-sagas.ts';

// With the pages that show people or whom one has blocked: no other page needs it.
sagasCame([blocksSaga]);
