export { type Assembly, type AssemblyOptions, assemble } from './assembly.ts';
