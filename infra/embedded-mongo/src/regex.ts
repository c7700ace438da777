import { BSONRegExp } from 'bson';
import { badValue, ServerError } from './errors.ts';

const CACHE_SIZE = 500;
const cache = new Map<string, RegExp>();
const refuse = (why: string) => new ServerError(51091, `Regular expression is invalid: ${why}`);

/** The source in JavaScript's strict syntax, so that what PCRE reads in another way is refused, not misread. */
function translate(source: string, options: string): string {
  let out = '';
  let inClass = false;
  for (let i = 0; i < source.length; i++) {
    const char = source.charAt(i);
    if (char === '\\') {
      const next = source.charAt(++i);
      if (next === 's') out += inClass ? '\\t-\\r ' : '[\\t-\\r ]';
      else if (next === 'S' && !inClass) out += '[^\\t-\\r ]';
      else if (next === 'S' || next === 'p' || next === 'P' || next === 'u' || next === 'k') {
        throw refuse(`\\${next} is not supported`);
      } else if (/[a-z0-9^$\\.*+?()[\]{}|/]/i.test(next) || next === '') out += char + next;
      else out += next === '-' && inClass ? '\\-' : next;
    } else if (inClass) {
      if (char === '[' && /[:.=]/.test(source.charAt(i + 1))) throw refuse('POSIX classes are not supported');
      if (char === ']') inClass = false;
      out += char === '[' ? '\\[' : char;
    } else if (char === '[') {
      inClass = true;
      out += char;
      if (/^\^?\]/.test(source.slice(i + 1))) throw refuse('] as the first of a class is not supported');
    } else if (char === '.' && !options.includes('s')) out += '[^\\n]';
    else if (char === '$' && !options.includes('m')) out += '(?=\\n?(?![^]))';
    else out += char;
  }
  return out;
}

/** Compiles a regular expression of a query. */
export function compileRegex(pattern: string, options = ''): RegExp {
  const name = `/${pattern}/${options}`;
  const known = cache.get(name);
  if (known) return known;
  if (/[^imsu]/.test(options)) throw new ServerError(51108, `invalid flag in regex options: ${options}`);
  try {
    const flags = [...new Set(`${options.replace('u', '')}u`)].join('');
    const regex = new RegExp(translate(pattern, options), flags);
    if (cache.size >= CACHE_SIZE) cache.clear();
    cache.set(name, regex);
    return regex;
  } catch (error) {
    throw error instanceof ServerError
      ? error
      : refuse(error instanceof Error ? error.message : String(error));
  }
}

/** Reads the operand of `$regex` with its `$options`. */
export function regexOf(operand: unknown, options?: unknown): RegExp {
  if (options !== undefined && typeof options !== 'string') throw badValue('$options has to be a string');
  if (typeof operand === 'string') return compileRegex(operand, options);
  if (operand instanceof BSONRegExp) {
    if (operand.options && options !== undefined) {
      throw new ServerError(51075, 'options set in both $regex and $options');
    }
    return compileRegex(operand.pattern, options ?? operand.options);
  }
  throw badValue('$regex has to be a string');
}
