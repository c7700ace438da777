export * from './backing.ts';
export * from './browser.ts';
export * from './eventually.ts';
export * from './fixtures.ts';
export * from './keys.ts';
export * from './network.ts';
export * from './store.ts';
export * from './test-bus.ts';
