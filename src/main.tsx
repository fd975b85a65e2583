import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startAddress } from './app/address';
import { App } from './app/App';
import { installConsoleApi } from './app/consoleApi';
import { startPageKeys } from './app/document/pageKeys';
import { startFont } from './app/font';
import { startFollowingSteering } from './app/steering/followSteering';
import { startTheme } from './app/theme';
import { checkWebgpuSupport } from './app/webgpuSupport';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with id "root": restore index.html.');

startFont();
startTheme();
startAddress();
startPageKeys();
installConsoleApi();
startFollowingSteering();
// The answer goes into a store; Run waits for it where it matters.
void checkWebgpuSupport();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
