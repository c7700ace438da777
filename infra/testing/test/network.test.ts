import { networkSuite } from './network-suite.ts';

describe('a network on the in-process bus', networkSuite('in-process'));
