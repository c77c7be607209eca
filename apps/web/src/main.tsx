import { createRoot } from 'react-dom/client';
import './styles.css';
import { App } from './app.tsx';
import { PageStore } from './state/page-store.ts';

const place = document.querySelector('#page');
const page = new PageStore();
if (place) createRoot(place).render(<App page={page} />);
void page.start();
