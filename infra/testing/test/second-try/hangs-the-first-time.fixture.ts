import { existsSync, writeFileSync } from 'node:fs';

test('passes if it has run before', () => {
  const marker = process.env.SECOND_TRY_MARKER ?? '';
  if (existsSync(marker)) return;
  writeFileSync(marker, '');
  // No timeout of Jest reaches a process that is blocked.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
