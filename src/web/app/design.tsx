/** The design system on one page, with made-up data: the parts of screens, and the page that tests check. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Design } from './design/page.js';
import { SessionProvider, type Me } from './lib/session.js';
import { Toasts } from './ui/toast.js';
import './ui/all.css';

const me: Me = {
  person: { id: 'per_1', name: 'Jane Doe', email: 'jane@example.com' },
  membership: { id: 'mem_1', side: 'buyer', role: 'admin' },
  organization: { name: 'Example Leads', time_zone: 'America/New_York', currency: 'USD' },
  party: null,
  settings: null,
  calls: [],
  files: [],
};

const root = document.getElementById('app');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <SessionProvider value={{ me, api: '/portal/api/design' }}>
        <Toasts>
          <main>
            <Design />
          </main>
        </Toasts>
      </SessionProvider>
    </StrictMode>,
  );
}
