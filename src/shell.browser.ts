import { startShell } from './web/shell.ts';

startShell();
