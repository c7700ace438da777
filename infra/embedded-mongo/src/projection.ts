import { notSupported, ServerError } from './errors.ts';
import { type Doc, numberOf } from './values.ts';

/** Compiles a projection, which names the fields to keep or the fields to drop. */
export function compileProjection(spec: Doc): (doc: Doc) => Doc {
  const named = new Map([['_id', true]]);
  let including: boolean | undefined;
  for (const [name, operand] of Object.entries(spec)) {
    const flag = typeof operand === 'boolean' ? operand : numberOf(operand);
    if (flag === undefined || !/^[^.$]+$/.test(name))
      throw notSupported(`the projection of '${name}' by anything but true or false`);
    const kept = flag !== false && flag !== 0;
    named.set(name, kept);
    if (name !== '_id') including ??= kept;
    if (name === '_id' || kept === including) continue;
    const [code, one, other] = kept ? [31253, 'inclusion', 'exclusion'] : [31254, 'exclusion', 'inclusion'];
    throw new ServerError(Number(code), `Cannot do ${one} on field ${name} in ${other} projection`);
  }
  const others = !(including ?? named.get('_id'));
  return (doc) => Object.fromEntries(Object.entries(doc).filter(([name]) => named.get(name) ?? others));
}
