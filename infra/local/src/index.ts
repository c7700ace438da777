export { type Assembly, type AssemblyOptions, assemble } from './assembly.ts';
export { type AssemblySettings, assemblySettings } from './settings.ts';
