import { BSONRegExp } from 'bson';
import { badValue, ServerError } from './errors.ts';

const CACHE_SIZE = 500;
const cache = new Map<string, RegExp>();
const refuse = (why: string) => new ServerError(51091, `Regular expression is invalid: ${why}`);

const PART = /\\(.?)|\[(\^?)((?:\\.|[^\]\\])+)\]|[.$[]/gs;
/** What both kinds of expression read alike after a backslash. */
const SAME = /^[\^$\\.*+?()[\]{}|/bBdDwWnrtfvx0-9]$/;

function escaped(next: string, inClass: boolean): string {
  if (SAME.test(next)) return `\\${next}`;
  if (next === 's') return inClass ? '\\t-\\r ' : '[\\t-\\r ]';
  if (next === 'S' && !inClass) return '[^\\t-\\r ]';
  if (/\w/.test(next) || next === '') throw refuse(`\\${next} is not supported`);
  return next === '-' ? '\\x2d' : next;
}

/** Puts PCRE's reading into JavaScript's strict syntax: what that does not know is refused, not misread. */
function translate(source: string, options: string): string {
  return source.replace(
    PART,
    (part: string, next: string | undefined, not: string | undefined, list: string | undefined) => {
      if (next !== undefined) return escaped(next, false);
      if (list !== undefined) {
        if (/\[[:.=]/.test(list)) throw refuse('POSIX classes are not supported');
        const body = list.replace(/\\(.)|\[/gs, (each, char) =>
          char === undefined ? '\\[' : escaped(char, true) || each,
        );
        return `[${not}${body}]`;
      }
      if (part === '.') return options.includes('s') ? '.' : '[^\\n]';
      if (part === '$') return options.includes('m') ? '$' : '(?=\\n?(?![^]))';
      throw refuse('missing terminating ] for character class');
    },
  );
}

function compile(pattern: string, options: string): RegExp {
  const name = `/${pattern}/${options}`;
  const known = cache.get(name);
  if (known) return known;
  if (/[^imsu]/.test(options)) throw new ServerError(51108, `invalid flag in regex options: ${options}`);
  const source = translate(pattern, options);
  if (cache.size >= CACHE_SIZE) cache.clear();
  try {
    const regex = new RegExp(source, [...new Set(`${options}u`)].join(''));
    cache.set(name, regex);
    return regex;
  } catch (error) {
    throw refuse(String(error));
  }
}

/** Reads a regular expression of a query, or the operand of `$regex` with its `$options`. */
export function regexOf(operand: unknown, options?: unknown): RegExp {
  if (options !== undefined && typeof options !== 'string') throw badValue('$options has to be a string');
  if (typeof operand === 'string') return compile(operand, options ?? '');
  if (!(operand instanceof BSONRegExp)) throw badValue('$regex has to be a string');
  if (operand.options && options) throw new ServerError(51075, 'options set in both $regex and $options');
  return compile(operand.pattern, options ?? operand.options);
}
