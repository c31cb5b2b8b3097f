/** The test runner names a base address of its own in BASE_URL, which is a setting of the service. */
delete process.env.BASE_URL;
