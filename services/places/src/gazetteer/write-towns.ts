import { packTowns } from './pack-towns.ts';
import { writePackedTowns } from './packed-file.ts';

/** The last step of the build: what the packages hold, as the service reads it in milliseconds. */
await writePackedTowns(await packTowns());
