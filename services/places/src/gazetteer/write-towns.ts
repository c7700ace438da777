import { packTowns } from './pack-towns.ts';
import { writePackedTowns } from './packed-file.ts';

/** The last step of the build: packs the packages' data into a file that the service reads in milliseconds. */
await writePackedTowns(await packTowns());
