import { rebuildSuite } from './rebuild-suite.ts';

describe('a replica rebuild on the in-process bus', rebuildSuite('in-process'));
