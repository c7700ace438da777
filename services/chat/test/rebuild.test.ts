import { rebuildSuite } from './rebuild-suite.ts';

describe('on the in-process bus', rebuildSuite('in-process'));
