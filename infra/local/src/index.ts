export { type Assembly, type AssemblyOptions, assemble } from './assembly.ts';
export { type Program, programs } from './programs.ts';
export { type AssemblySettings, assemblySettings } from './settings.ts';
