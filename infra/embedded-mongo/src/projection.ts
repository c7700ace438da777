import { notSupported, ServerError } from './errors.ts';
import { type Doc, numberOf } from './values.ts';

/** Compiles a projection of included or excluded fields. */
export function compileProjection(spec: Doc): (doc: Doc) => Doc {
  const named = new Map([['_id', true]]);
  let including: boolean | undefined;
  for (const [name, operand] of Object.entries(spec)) {
    const flag = typeof operand === 'boolean' ? operand : numberOf(operand);
    if (flag === undefined || !/^[^.$]+$/.test(name)) throw notSupported(`such a projection of '${name}'`);
    const isIncluded = flag !== false && flag !== 0;
    named.set(name, isIncluded);
    if (name !== '_id') including ??= isIncluded;
    if (name === '_id' || isIncluded === including) continue;
    throw new ServerError(
      isIncluded ? 31253 : 31254,
      `Cannot both include and exclude fields in a projection: ${name}`,
    );
  }
  const others = !(including ?? named.get('_id'));
  return (doc) => Object.fromEntries(Object.entries(doc).filter(([name]) => named.get(name) ?? others));
}
