/** What every page of the public document has around it; the browser fetches it as one file. */
export { ChatButton } from '../chat/chat-button.tsx';
export { Footer } from '../company/footer.tsx';
export { Navbar } from '../company/navbar.tsx';
export { Moves } from '../pages/moves.tsx';
export { PageHead } from '../pages/page-head.tsx';
export { PageFailure } from '../ui/page-failure.tsx';
export { Toaster } from '../ui/toast/toaster.tsx';
export { startTooltips } from '../ui/tooltips.ts';
