-- Three searches (ended, cut off, waiting), a map and an FMU as schema version 4 kept them.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE searches (
  id TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
  name TEXT NOT NULL,
  problem TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'interrupted')),
  complete INTEGER NOT NULL DEFAULT 0 CHECK (complete IN (0, 1)),
  created_at TEXT NOT NULL CHECK (created_at GLOB '20??-??-??T??:??:??.???Z'),
  started_at TEXT CHECK (started_at GLOB '20??-??-??T??:??:??.???Z'),
  finished_at TEXT CHECK (finished_at GLOB '20??-??-??T??:??:??.???Z'),
  reason TEXT,
  linear_region_rule TEXT NOT NULL,
  curves_done INTEGER NOT NULL DEFAULT 0,
  curves_total INTEGER NOT NULL DEFAULT 0,
  trials_done INTEGER NOT NULL DEFAULT 0,
  cost_trials INTEGER,
  cost_rhs_evaluations INTEGER,
  cost_wall_s REAL
) STRICT;
INSERT INTO searches VALUES('bb58eb14f3426114','old','linear_oscillator','succeeded',1,'2026-11-22T11:34:11.239Z','2026-11-22T11:34:11.241Z','2026-11-22T11:34:11.251Z',NULL,'baseline_power_law',2,2,28,28,19196,0.0068295530000000003595);
INSERT INTO searches VALUES('22dec364b2ea0ea5','stopped','double_actuator_crane','interrupted',0,'2026-11-22T11:34:12.817Z','2026-11-22T11:34:12.818Z',NULL,NULL,'local_power_law',0,24,0,NULL,NULL,NULL);
INSERT INTO searches VALUES('8b3d83b3b6603142','old','linear_oscillator','queued',0,'2026-11-22T11:34:13.234Z',NULL,NULL,NULL,'baseline_power_law',0,2,0,NULL,NULL,NULL);
CREATE TABLE documents (
  search_id TEXT NOT NULL PRIMARY KEY REFERENCES searches ON DELETE CASCADE,
  provenance TEXT CHECK (provenance IS NULL OR json_valid(provenance)),
  result_table TEXT CHECK (result_table IS NULL OR json_valid(result_table)),
  job TEXT NOT NULL CHECK (json_valid(job)),
  plan TEXT NOT NULL CHECK (json_valid(plan))
) STRICT;
INSERT INTO documents VALUES('bb58eb14f3426114','{"version":"0.1.0","build_id":"4729654e69847afb10b1e8a619e9184f54e1d2af","math_class":"0588345370f7f3f2"}','[{"test":"free","configurations":[{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}],"macro_step_s":0.00625,"cliff_s":0.0238418579102,"flags":["cut_at_stability_limit"]}]','{"name":"old","problem":"linear_oscillator","search":{"couplings":["force_displacement"],"extrapolation":["0","1"],"macro_step":{"increment_s":0.02,"initial_s":0.02,"maximum_s":0.2}},"tests":[{"duration_s":4,"kind":"none","name":"free"}]}','{"kind":"search","name":"old","problem":"linear_oscillator","parameters":{},"micro_steps":{},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["0","1"],"integrators":{"coupling":["exact"],"m1":["symplectic_euler"],"m2":["symplectic_euler"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":0.02,"increment_s":0.02,"maximum_s":0.2},"allowed_macro_steps_s":null,"linear_region":{"rule":"baseline_power_law","tolerance":0.35,"points":8,"scan":"geometric","ratio":1.25},"relative_residual_max":null,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"free","kind":"none","duration_s":4.0}]}');
INSERT INTO documents VALUES('22dec364b2ea0ea5','{"version":"0.1.0","build_id":"4729654e69847afb10b1e8a619e9184f54e1d2af","math_class":"0588345370f7f3f2"}',NULL,'{"name":"stopped","problem":"double_actuator_crane","tests":[{"duration_s":3000,"kind":"step","name":"long"}]}','{"kind":"search","name":"stopped","problem":"double_actuator_crane","parameters":{},"micro_steps":{"hydraulics":0.0001},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["0","1","2","3","4","i2"],"integrators":{"hydraulics":["forward_euler","trapezoidal"],"mechanics":["i1al","i3al"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":0.0002,"increment_s":0.0002,"maximum_s":0.02},"allowed_macro_steps_s":null,"linear_region":{"rule":"local_power_law","tolerance":0.35,"points":5,"scan":"arithmetic","ratio":1.25},"relative_residual_max":null,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"long","kind":"step","duration_s":3000.0}]}');
INSERT INTO documents VALUES('8b3d83b3b6603142','{"version":"0.1.0","build_id":"4729654e69847afb10b1e8a619e9184f54e1d2af","math_class":"0588345370f7f3f2"}',NULL,'{"name":"old","problem":"linear_oscillator","search":{"couplings":["force_displacement"],"extrapolation":["0","1"],"macro_step":{"increment_s":0.02,"initial_s":0.02,"maximum_s":0.2}},"tests":[{"duration_s":4,"kind":"none","name":"free"}]}','{"kind":"search","name":"old","problem":"linear_oscillator","parameters":{},"micro_steps":{},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["0","1"],"integrators":{"coupling":["exact"],"m1":["symplectic_euler"],"m2":["symplectic_euler"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":0.02,"increment_s":0.02,"maximum_s":0.2},"allowed_macro_steps_s":null,"linear_region":{"rule":"baseline_power_law","tolerance":0.35,"points":8,"scan":"geometric","ratio":1.25},"relative_residual_max":null,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"free","kind":"none","duration_s":4.0}]}');
CREATE TABLE configurations (
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  configuration_id INTEGER NOT NULL CHECK (configuration_id >= 0),
  coupling TEXT NOT NULL,
  scheme TEXT NOT NULL,
  extrapolation TEXT NOT NULL,
  integrators TEXT NOT NULL CHECK (json_valid(integrators)),
  substeps TEXT NOT NULL CHECK (json_valid(substeps)),
  correction TEXT NOT NULL,
  configuration TEXT NOT NULL CHECK (json_valid(configuration)), subsystem_order TEXT NOT NULL DEFAULT '[]'
  CHECK (json_valid(subsystem_order)),
  PRIMARY KEY (search_id, configuration_id)
) STRICT, WITHOUT ROWID;
INSERT INTO configurations VALUES('22dec364b2ea0ea5',0,'force_displacement','jacobi','0','{"hydraulics":"forward_euler","mechanics":"i1al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',1,'force_displacement','jacobi','0','{"hydraulics":"forward_euler","mechanics":"i3al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"hydraulics":"forward_euler","mechanics":"i3al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',2,'force_displacement','jacobi','0','{"hydraulics":"trapezoidal","mechanics":"i1al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"hydraulics":"trapezoidal","mechanics":"i1al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',3,'force_displacement','jacobi','0','{"hydraulics":"trapezoidal","mechanics":"i3al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"hydraulics":"trapezoidal","mechanics":"i3al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',4,'force_displacement','jacobi','1','{"hydraulics":"forward_euler","mechanics":"i1al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',5,'force_displacement','jacobi','1','{"hydraulics":"forward_euler","mechanics":"i3al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"hydraulics":"forward_euler","mechanics":"i3al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',6,'force_displacement','jacobi','1','{"hydraulics":"trapezoidal","mechanics":"i1al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"hydraulics":"trapezoidal","mechanics":"i1al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',7,'force_displacement','jacobi','1','{"hydraulics":"trapezoidal","mechanics":"i3al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"hydraulics":"trapezoidal","mechanics":"i3al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',8,'force_displacement','jacobi','2','{"hydraulics":"forward_euler","mechanics":"i1al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"2","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',9,'force_displacement','jacobi','2','{"hydraulics":"forward_euler","mechanics":"i3al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"2","integrators":{"hydraulics":"forward_euler","mechanics":"i3al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',10,'force_displacement','jacobi','2','{"hydraulics":"trapezoidal","mechanics":"i1al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"2","integrators":{"hydraulics":"trapezoidal","mechanics":"i1al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',11,'force_displacement','jacobi','2','{"hydraulics":"trapezoidal","mechanics":"i3al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"2","integrators":{"hydraulics":"trapezoidal","mechanics":"i3al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',12,'force_displacement','jacobi','3','{"hydraulics":"forward_euler","mechanics":"i1al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"3","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',13,'force_displacement','jacobi','3','{"hydraulics":"forward_euler","mechanics":"i3al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"3","integrators":{"hydraulics":"forward_euler","mechanics":"i3al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',14,'force_displacement','jacobi','3','{"hydraulics":"trapezoidal","mechanics":"i1al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"3","integrators":{"hydraulics":"trapezoidal","mechanics":"i1al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',15,'force_displacement','jacobi','3','{"hydraulics":"trapezoidal","mechanics":"i3al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"3","integrators":{"hydraulics":"trapezoidal","mechanics":"i3al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',16,'force_displacement','jacobi','4','{"hydraulics":"forward_euler","mechanics":"i1al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"4","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',17,'force_displacement','jacobi','4','{"hydraulics":"forward_euler","mechanics":"i3al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"4","integrators":{"hydraulics":"forward_euler","mechanics":"i3al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',18,'force_displacement','jacobi','4','{"hydraulics":"trapezoidal","mechanics":"i1al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"4","integrators":{"hydraulics":"trapezoidal","mechanics":"i1al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',19,'force_displacement','jacobi','4','{"hydraulics":"trapezoidal","mechanics":"i3al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"4","integrators":{"hydraulics":"trapezoidal","mechanics":"i3al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',20,'force_displacement','jacobi','i2','{"hydraulics":"forward_euler","mechanics":"i1al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"i2","integrators":{"hydraulics":"forward_euler","mechanics":"i1al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',21,'force_displacement','jacobi','i2','{"hydraulics":"forward_euler","mechanics":"i3al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"i2","integrators":{"hydraulics":"forward_euler","mechanics":"i3al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',22,'force_displacement','jacobi','i2','{"hydraulics":"trapezoidal","mechanics":"i1al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"i2","integrators":{"hydraulics":"trapezoidal","mechanics":"i1al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('22dec364b2ea0ea5',23,'force_displacement','jacobi','i2','{"hydraulics":"trapezoidal","mechanics":"i3al"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"i2","integrators":{"hydraulics":"trapezoidal","mechanics":"i3al"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('bb58eb14f3426114',0,'force_displacement','jacobi','0','{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}','[]');
INSERT INTO configurations VALUES('bb58eb14f3426114',1,'force_displacement','jacobi','1','{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"}','{}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none"}','[]');
CREATE TABLE curves (
  search_id TEXT NOT NULL,
  curve_id INTEGER NOT NULL CHECK (curve_id >= 0),
  configuration_id INTEGER NOT NULL,
  test TEXT NOT NULL,
  bend_s REAL,
  cliff_s REAL,
  slope REAL,
  fit_coefficient REAL,
  fit_exponent REAL,
  reason TEXT,
  flags TEXT NOT NULL CHECK (json_valid(flags)),
  weighted_rhs_evaluations REAL, counts INTEGER CHECK (counts IN (0, 1)), stability_limit_s REAL,
  PRIMARY KEY (search_id, curve_id),
  FOREIGN KEY (search_id, configuration_id) REFERENCES configurations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO curves VALUES('22dec364b2ea0ea5',0,0,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',1,1,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',2,2,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',3,3,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',4,4,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',5,5,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',6,6,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',7,7,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',8,8,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',9,9,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',10,10,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',11,11,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',12,12,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',13,13,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',14,14,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',15,15,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',16,16,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',17,17,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',18,18,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',19,19,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',20,20,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',21,21,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',22,22,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('22dec364b2ea0ea5',23,23,'long',NULL,NULL,NULL,NULL,NULL,NULL,'[]',NULL,NULL,NULL);
INSERT INTO curves VALUES('bb58eb14f3426114',0,0,'free',0.009765625,0.023841857910199999726,2.9499143450286990919,477224161586.20257569,2.9499143450286990919,'at H = 12.2 ms the residual of 1.558e+06 J is more than 1.35 times the 1.082e+06 J of the line','["unstable"]',NULL,0,NULL);
INSERT INTO curves VALUES('bb58eb14f3426114',1,1,'free',0.01220703125,0.023841857910199999726,2.3783867572655639222,1066368425.0370682477,2.3783867572655639222,'at H = 15.2 ms the residual of 7.86e+04 J is more than 1.35 times the 5.101e+04 J of the line','["cut_at_stability_limit"]',1280.0,1,0.0075412750244140628469);
CREATE TABLE trials (
  search_id TEXT NOT NULL,
  trial_id INTEGER NOT NULL CHECK (trial_id >= 0),
  curve_id INTEGER NOT NULL,
  point INTEGER NOT NULL CHECK (point >= 0),
  macro_step_s REAL NOT NULL CHECK (macro_step_s > 0),
  status TEXT NOT NULL CHECK (status <> ''),
  reason TEXT,
  residual_J REAL,
  startup_residual_J REAL,
  relative_residual REAL,
  transmitted_J REAL,
  bond_residuals_J TEXT NOT NULL CHECK (json_valid(bond_residuals_J)),
  nrmse REAL,
  macro_steps INTEGER NOT NULL,
  rhs_evaluations INTEGER NOT NULL,
  cost REAL,
  wall_s REAL,
  inside_linear_region INTEGER CHECK (inside_linear_region IN (0, 1)),
  PRIMARY KEY (search_id, trial_id),
  FOREIGN KEY (search_id, curve_id) REFERENCES curves ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO trials VALUES('bb58eb14f3426114',0,0,0,0.020000000000000000416,'complete',NULL,29942852.2918811813,1342.3999999999998635,1.5751056889038410613,19010059.136234361677,'[29942852.29188118]',NULL,200,400,400.0,9.227300000000000237e-05,0);
INSERT INTO trials VALUES('bb58eb14f3426114',1,0,1,0.025000000000000001387,'diverged','an output grew beyond 10000 times its nominal value at 3.65 s',79274174.602094247938,2222.65625,1.722482213476533186,46023218.110387913884,'[79274174.60209425]',NULL,146,292,292.0,1.4664000000000000547e-05,0);
INSERT INTO trials VALUES('bb58eb14f3426114',2,0,2,0.010000000000000000208,'complete',NULL,654900.39070709771475,308.90000000000003409,0.82131025341324614963,797384.89564135693944,'[654900.3907070977]',NULL,400,800,800.0,2.4626000000000001052e-05,0);
INSERT INTO trials VALUES('bb58eb14f3426114',3,0,3,0.012500000000000000693,'complete',NULL,1745738.9139426290058,490.478515625,1.075856251354071924,1622650.7135553129482,'[1745738.913942629]',NULL,320,640,640.0,2.0136000000000001688e-05,0);
INSERT INTO trials VALUES('bb58eb14f3426114',4,0,4,0.015625,'complete',NULL,5799194.7099591987205,785.47000885009765625,1.3225395381165090391,4384893.2624109713362,'[5799194.709959199]',NULL,256,512,512.0,1.6200000000000000749e-05,0);
INSERT INTO trials VALUES('bb58eb14f3426114',5,0,5,0.005000000000000000104,'complete',NULL,82551.598875614829011,75.556249999999991473,0.29691238772053024641,278033.52870987920323,'[82551.59887561483]',NULL,800,1600,1600.0,4.5750000000000000735e-05,1);
INSERT INTO trials VALUES('bb58eb14f3426114',6,0,6,0.0062500000000000003469,'complete',NULL,141996.03439920290839,118.5455322265625,0.41349177116218099881,343407.15898674749769,'[141996.0343992029]',NULL,640,1280,1280.0,3.6755000000000003e-05,1);
INSERT INTO trials VALUES('bb58eb14f3426114',7,0,7,0.0078125,'complete',NULL,271682.85826289874968,186.42097711563110351,0.57806234521253441194,469988.85243599454407,'[271682.85826289875]',NULL,512,1024,1024.0,3.0202999999999998645e-05,1);
INSERT INTO trials VALUES('bb58eb14f3426114',8,0,8,0.009765625,'complete',NULL,596647.20026813680307,294.19679776765406131,0.7963018837191363497,749272.62193766236307,'[596647.2002681368]',NULL,410,820,820.0,2.5063999999999999231e-05,1);
INSERT INTO trials VALUES('bb58eb14f3426114',9,0,9,0.01220703125,'complete',NULL,1557918.2552668014541,466.79680565375747391,1.0509861661300612389,1482339.4498172742314,'[1557918.2552668015]',NULL,328,656,656.0,2.0463999999999999226e-05,0);
INSERT INTO trials VALUES('bb58eb14f3426114',10,0,10,0.0152587890625,'complete',NULL,5044410.1511355433613,746.73892763721380562,1.3057092574232911363,3863348.6914922147989,'[5044410.151135543]',NULL,263,526,526.0,1.7008999999999999271e-05,0);
INSERT INTO trials VALUES('bb58eb14f3426114',11,0,11,0.019073486328099999165,'complete',NULL,21233333.283458154649,1209.1841613515862263,1.5461050934735838247,13733434.663069324567,'[21233333.283458155]',NULL,210,420,420.0,1.3784999999999999306e-05,0);
INSERT INTO trials VALUES('bb58eb14f3426114',12,0,12,0.023841857910199999726,'diverged','an output grew beyond 10000 times its nominal value at 3.83854 s',84058870.795069709422,1992.8770756654985234,1.7046973870748769464,49310142.335178881885,'[84058870.79506971]',NULL,161,322,322.0,1.1406000000000000569e-05,0);
INSERT INTO trials VALUES('bb58eb14f3426114',13,1,0,0.020000000000000000416,'complete',NULL,750526.4377550499048,2550.9487354880002385,0.59487129273832939357,1261661.8870616601779,'[750526.4377550499]',NULL,200,400,400.0,1.5238999999999999278e-05,0);
INSERT INTO trials VALUES('bb58eb14f3426114',14,1,1,0.025000000000000001387,'complete',NULL,30415434.332469776272,5142.6541233062744141,1.0500441757311618218,28965861.661287769675,'[30415434.332469776]',NULL,160,320,320.0,1.1413999999999999477e-05,0);
INSERT INTO trials VALUES('bb58eb14f3426114',15,1,2,0.03125,'diverged','an output grew beyond 10000 times its nominal value at 2.5 s',122975051.035143435,10422.079678315654746,1.4751447037306153475,83364737.523133605719,'[122975051.03514344]',NULL,80,160,160.0,7.5070000000000002924e-06,0);
INSERT INTO trials VALUES('bb58eb14f3426114',16,1,3,0.010000000000000000208,'complete',NULL,17941.421718261230125,326.34927426199999444,0.097510795075777256801,183994.21012123482068,'[17941.42171826123]',NULL,400,800,800.0,2.5082000000000001429e-05,1);
INSERT INTO trials VALUES('bb58eb14f3426114',17,1,4,0.012500000000000000693,'complete',NULL,34479.903376085225318,612.35453846165910363,0.15490834249496887586,222582.61124448518967,'[34479.903376085225]',NULL,320,640,640.0,2.0811000000000001155e-05,0);
INSERT INTO trials VALUES('bb58eb14f3426114',18,1,5,0.015625,'complete',NULL,89419.616002117429161,1189.4881840353957613,0.26812561725934047629,333498.96558234363328,'[89419.61600211743]',NULL,256,512,512.0,1.6928000000000001232e-05,0);
INSERT INTO trials VALUES('bb58eb14f3426114',19,1,6,0.01953125,'complete',NULL,568737.30338859825859,2368.698191165864955,0.55067873572180892072,1032793.2903439948568,'[568737.3033885983]',NULL,205,410,410.0,1.4152999999999999849e-05,0);
INSERT INTO trials VALUES('bb58eb14f3426114',20,1,7,0.005000000000000000104,'complete',NULL,3756.8125183717515937,74.665898776428733184,0.024396187512113646361,153991.78730309189995,'[3756.8125183717516]',NULL,800,1600,1600.0,4.7408999999999999587e-05,1);
INSERT INTO trials VALUES('bb58eb14f3426114',21,1,8,0.0062500000000000003469,'complete',NULL,6025.3468575481983864,116.46441819229437442,0.038139527237593652542,157981.68708313431125,'[6025.346857548198]',NULL,640,1280,1280.0,3.8748000000000002384e-05,1);
INSERT INTO trials VALUES('bb58eb14f3426114',22,1,9,0.0078125,'complete',NULL,9880.8497221957259171,181.68568941053663934,0.059478147813394520448,166125.71314755285857,'[9880.849722195726]',NULL,512,1024,1024.0,3.6189000000000001982e-05,1);
INSERT INTO trials VALUES('bb58eb14f3426114',23,1,10,0.009765625,'complete',NULL,16895.15398722203463,305.92011519527642349,0.093107894829843773631,181457.80245701194507,'[16895.153987222035]',NULL,410,820,820.0,2.5528000000000000209e-05,1);
INSERT INTO trials VALUES('bb58eb14f3426114',24,1,11,0.01220703125,'complete',NULL,31869.623251483859347,571.72648755536624775,0.14740492823800580013,216204.59799027824192,'[31869.62325148386]',NULL,328,656,656.0,2.0899999999999999795e-05,1);
INSERT INTO trials VALUES('bb58eb14f3426114',25,1,12,0.0152587890625,'complete',NULL,78603.514476968746747,1106.8942974248695918,0.25107890766668755633,313062.99365184648195,'[78603.51447696875]',NULL,263,526,526.0,1.7096000000000000302e-05,0);
INSERT INTO trials VALUES('bb58eb14f3426114',26,1,13,0.019073486328099999165,'complete',NULL,438565.71398966608102,2199.7510710782253227,0.51060910129649506039,858906.96596691559535,'[438565.7139896661]',NULL,210,420,420.0,1.4195999999999999268e-05,0);
INSERT INTO trials VALUES('bb58eb14f3426114',27,1,14,0.023841857910199999726,'complete',NULL,11396668.638590840622,4429.142073195589546,0.93799168228200879848,12150074.306484535336,'[11396668.63859084]',NULL,168,336,336.0,1.1886999999999999861e-05,0);
CREATE TABLE recommendations (
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  rule TEXT NOT NULL CHECK (rule <> ''),
  configuration_id INTEGER,
  macro_step_s REAL,
  bend_s REAL,
  cliff_s REAL,
  relative_residual REAL,
  confidence REAL,
  reason TEXT,
  recommendation TEXT CHECK (recommendation IS NULL OR json_valid(recommendation)),
  PRIMARY KEY (search_id, rule),
  FOREIGN KEY (search_id, configuration_id) REFERENCES configurations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO recommendations VALUES('bb58eb14f3426114','max_min',1,0.0062500000000000003469,0.01220703125,0.023841857910199999726,0.038139527237593652542,NULL,'of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 6.25 ms by: free','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.00625,"bend_s":0.01220703125,"cliff_s":0.0238418579102,"stability_limit_s":0.007541275024414063,"relative_residual":0.03813952723759365,"error":{"nrmse":0.21511860238132785,"max":0.6875044042720685,"test":"free","reference":"matrix exponential"},"correction_gain":null,"rule":"max_min","confidence":null,"warnings":["stable but not accurate: the outputs are off by 22 % of their standard deviation in test free (NRMSE); choose a smaller H for results; relative_residual_max sets a limit","larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: free"],"reason":"of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 6.25 ms by: free","sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 3.8 % and the error of the outputs (NRMSE) 22 %.","ties":[]}');
INSERT INTO recommendations VALUES('bb58eb14f3426114','paper',1,0.0062500000000000003469,0.01220703125,0.023841857910199999726,0.038139527237593652542,NULL,'the smallest row of the table, that of test free','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.00625,"bend_s":0.01220703125,"cliff_s":0.0238418579102,"stability_limit_s":0.007541275024414063,"relative_residual":0.03813952723759365,"error":null,"correction_gain":null,"rule":"paper","confidence":null,"warnings":["the residual is 3.8 % of the energy that the coupling transmits in test free: expect clear errors of the outputs; relative_residual_max sets a limit","larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: free"],"reason":"the smallest row of the table, that of test free","sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the smallest row of the table, that of test free.","ties":[]}');
CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (name <> ''),
  data TEXT NOT NULL CHECK (json_valid(data))
) STRICT;
INSERT INTO events VALUES(1,'bb58eb14f3426114','status','{"search":"bb58eb14f3426114","status":"queued","progress":{"curves_done":0,"curves_total":2,"trials_done":0}}');
INSERT INTO events VALUES(2,'bb58eb14f3426114','status','{"search":"bb58eb14f3426114","status":"running","progress":{"curves_done":0,"curves_total":2,"trials_done":0}}');
INSERT INTO events VALUES(3,'bb58eb14f3426114','points','{"search":"bb58eb14f3426114","points":[{"curve_id":0,"macro_step_s":0.02,"residual_J":29942852.29188118,"relative_residual":1.575105688903841,"status":"complete"},{"curve_id":0,"macro_step_s":0.025,"residual_J":79274174.60209425,"relative_residual":1.7224822134765332,"status":"diverged"},{"curve_id":0,"macro_step_s":0.01,"residual_J":654900.3907070977,"relative_residual":0.8213102534132461,"status":"complete"},{"curve_id":0,"macro_step_s":0.0125,"residual_J":1745738.913942629,"relative_residual":1.075856251354072,"status":"complete"},{"curve_id":0,"macro_step_s":0.015625,"residual_J":5799194.709959199,"relative_residual":1.322539538116509,"status":"complete"},{"curve_id":0,"macro_step_s":0.005,"residual_J":82551.59887561483,"relative_residual":0.29691238772053025,"status":"complete"},{"curve_id":0,"macro_step_s":0.00625,"residual_J":141996.0343992029,"relative_residual":0.413491771162181,"status":"complete"},{"curve_id":0,"macro_step_s":0.0078125,"residual_J":271682.85826289875,"relative_residual":0.5780623452125344,"status":"complete"},{"curve_id":0,"macro_step_s":0.009765625,"residual_J":596647.2002681368,"relative_residual":0.7963018837191363,"status":"complete"},{"curve_id":0,"macro_step_s":0.01220703125,"residual_J":1557918.2552668015,"relative_residual":1.0509861661300612,"status":"complete"},{"curve_id":0,"macro_step_s":0.0152587890625,"residual_J":5044410.151135543,"relative_residual":1.3057092574232911,"status":"complete"},{"curve_id":0,"macro_step_s":0.0190734863281,"residual_J":21233333.283458155,"relative_residual":1.5461050934735838,"status":"complete"},{"curve_id":0,"macro_step_s":0.0238418579102,"residual_J":84058870.79506971,"relative_residual":1.704697387074877,"status":"diverged"},{"curve_id":1,"macro_step_s":0.02,"residual_J":750526.4377550499,"relative_residual":0.5948712927383294,"status":"complete"},{"curve_id":1,"macro_step_s":0.025,"residual_J":30415434.332469776,"relative_residual":1.0500441757311618,"status":"complete"},{"curve_id":1,"macro_step_s":0.03125,"residual_J":122975051.03514344,"relative_residual":1.4751447037306153,"status":"diverged"},{"curve_id":1,"macro_step_s":0.01,"residual_J":17941.42171826123,"relative_residual":0.09751079507577726,"status":"complete"},{"curve_id":1,"macro_step_s":0.0125,"residual_J":34479.903376085225,"relative_residual":0.15490834249496888,"status":"complete"},{"curve_id":1,"macro_step_s":0.015625,"residual_J":89419.61600211743,"relative_residual":0.2681256172593405,"status":"complete"},{"curve_id":1,"macro_step_s":0.01953125,"residual_J":568737.3033885983,"relative_residual":0.5506787357218089,"status":"complete"},{"curve_id":1,"macro_step_s":0.005,"residual_J":3756.8125183717516,"relative_residual":0.024396187512113646,"status":"complete"},{"curve_id":1,"macro_step_s":0.00625,"residual_J":6025.346857548198,"relative_residual":0.03813952723759365,"status":"complete"},{"curve_id":1,"macro_step_s":0.0078125,"residual_J":9880.849722195726,"relative_residual":0.05947814781339452,"status":"complete"},{"curve_id":1,"macro_step_s":0.009765625,"residual_J":16895.153987222035,"relative_residual":0.09310789482984377,"status":"complete"},{"curve_id":1,"macro_step_s":0.01220703125,"residual_J":31869.62325148386,"relative_residual":0.1474049282380058,"status":"complete"},{"curve_id":1,"macro_step_s":0.0152587890625,"residual_J":78603.51447696875,"relative_residual":0.25107890766668756,"status":"complete"},{"curve_id":1,"macro_step_s":0.0190734863281,"residual_J":438565.7139896661,"relative_residual":0.5106091012964951,"status":"complete"},{"curve_id":1,"macro_step_s":0.0238418579102,"residual_J":11396668.63859084,"relative_residual":0.9379916822820088,"status":"complete"}],"progress":{"curves_done":1,"curves_total":2,"trials_done":28}}');
INSERT INTO events VALUES(4,'bb58eb14f3426114','finished','{"search":"bb58eb14f3426114","status":"succeeded","recommendation":{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"1","integrators":{"coupling":"exact","m1":"symplectic_euler","m2":"symplectic_euler"},"substeps":{},"correction":"none","macro_step_s":0.00625,"bend_s":0.01220703125,"cliff_s":0.0238418579102,"stability_limit_s":0.007541275024414063,"relative_residual":0.03813952723759365,"error":{"nrmse":0.21511860238132785,"max":0.6875044042720685,"test":"free","reference":"matrix exponential"},"correction_gain":null,"rule":"max_min","confidence":null,"warnings":["stable but not accurate: the outputs are off by 22 % of their standard deviation in test free (NRMSE); choose a smaller H for results; relative_residual_max sets a limit","larger macro-steps are unstable by the exact analysis of the linear problem, although their residual still lies on its line: free"],"reason":"of all configurations it keeps the largest macro-step inside the linear region in every test that counts; limited at 6.25 ms by: free","sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 3.8 % and the error of the outputs (NRMSE) 22 %.","ties":[]},"reason":null,"sentence":"Use first-order extrapolation with H = 6.25 ms, symplectic Euler for m1, symplectic Euler for m2 and exact integration for coupling: the largest macro-step that is stable in every test input that counts. That does not promise accuracy; at this H the relative residual is 3.8 % and the error of the outputs (NRMSE) 22 %."}');
INSERT INTO events VALUES(5,'22dec364b2ea0ea5','status','{"search":"22dec364b2ea0ea5","status":"queued","progress":{"curves_done":0,"curves_total":24,"trials_done":0}}');
INSERT INTO events VALUES(6,'22dec364b2ea0ea5','status','{"search":"22dec364b2ea0ea5","status":"running","progress":{"curves_done":0,"curves_total":24,"trials_done":0}}');
INSERT INTO events VALUES(7,'8b3d83b3b6603142','status','{"search":"8b3d83b3b6603142","status":"queued","progress":{"curves_done":0,"curves_total":2,"trials_done":0}}');
INSERT INTO events VALUES(8,'22dec364b2ea0ea5','status','{"search":"22dec364b2ea0ea5","status":"interrupted","progress":{"curves_done":0,"curves_total":24,"trials_done":0}}');
CREATE TABLE idempotency_keys (
  idempotency_key TEXT NOT NULL PRIMARY KEY CHECK (idempotency_key <> ''),
  search_id TEXT NOT NULL UNIQUE REFERENCES searches ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO idempotency_keys VALUES('old-key','bb58eb14f3426114');
CREATE TABLE analyses (
  id TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
  kind TEXT NOT NULL CHECK (kind <> ''),
  name TEXT NOT NULL,
  problem TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'interrupted')),
  created_at TEXT NOT NULL CHECK (created_at GLOB '20??-??-??T??:??:??.???Z'),
  started_at TEXT CHECK (started_at GLOB '20??-??-??T??:??:??.???Z'),
  finished_at TEXT CHECK (finished_at GLOB '20??-??-??T??:??:??.???Z'),
  reason TEXT,
  points_done INTEGER NOT NULL DEFAULT 0,
  points_total INTEGER NOT NULL DEFAULT 0,
  wall_s REAL
) STRICT;
INSERT INTO analyses VALUES('f9b2f3e25724785f','map','old map','stiff_oscillator','succeeded','2026-11-22T11:34:11.248Z','2026-11-22T11:34:11.256Z','2026-11-22T11:34:11.258Z',NULL,6,6,0.00045742699999999999636);
CREATE TABLE analysis_documents (
  analysis_id TEXT NOT NULL PRIMARY KEY REFERENCES analyses ON DELETE CASCADE,
  job TEXT NOT NULL CHECK (json_valid(job)),
  plan TEXT NOT NULL CHECK (json_valid(plan)),
  result TEXT CHECK (result IS NULL OR json_valid(result))
) STRICT;
INSERT INTO analysis_documents VALUES('f9b2f3e25724785f','{"kind":"map","map":{"macro_steps_s":[1e-05,0.001],"x":{"count":3,"maximum":10000000000.0,"minimum":1,"parameter":"coupling.c_k"},"y":{"count":2,"maximum":1000000.0,"minimum":1,"parameter":"coupling.d_k"}},"name":"old map","problem":"stiff_oscillator","search":{"couplings":["force_displacement"],"extrapolation":["0"]}}','{"kind":"map","name":"old map","problem":"stiff_oscillator","parameters":{},"micro_steps":{},"substeps":{},"within_substep":"held","search":{"couplings":["force_displacement"],"schemes":["jacobi"],"orders":[],"iteration":{"tolerance":1e-08,"maximum":50,"repeats":null},"extrapolation":["0"],"integrators":{"coupling":["exact"],"m1":["exact"],"m2":["exact"]},"corrections":["none"],"correction_parameters":{"mu":null,"nu":0.0,"limit":1.0,"limit_N":null,"quadrature":"rectangle","flow":"last","alpha":1.0,"feedthrough":"ignored","jacobians":"exact","refresh_macro_steps":1,"forgetting":0.99,"theta":0.5,"derivative":"exact"},"macro_step":{"initial_s":2e-05,"increment_s":2e-05,"maximum_s":0.01},"allowed_macro_steps_s":null,"linear_region":{"rule":"baseline_power_law","tolerance":0.35,"points":8,"scan":"geometric","ratio":1.25},"relative_residual_max":null,"minimum_macro_steps":20,"real_time":null,"indicator":"residual_energy"},"tests":[{"name":"none","kind":"none","duration_s":0.3},{"name":"step","kind":"step","duration_s":0.3},{"name":"ramp","kind":"ramp","duration_s":0.3},{"name":"impulse","kind":"impulse","width_s":0.12,"duration_s":0.3},{"name":"sine_50hz","kind":"sine","frequency_hz":50.0,"periods":15.0}],"map":{"x":{"parameter":"coupling.c_k","minimum":1.0,"maximum":10000000000.0,"count":3,"scale":"log"},"y":{"parameter":"coupling.d_k","minimum":1.0,"maximum":1000000.0,"count":2,"scale":"log"},"macro_steps_s":[1e-05,0.001],"quantity":"stability","error_max":0.01,"test":"none"}}','{"problem":"stiff_oscillator","quantity":"stability","limit":1.000000001,"test":null,"x":{"parameter":"coupling.c_k","unit":"N/m","scale":"log","values":[1.0,100000.0,10000000000.0]},"y":{"parameter":"coupling.d_k","unit":"N s/m","scale":"log","values":[1.0,1000000.0]},"macro_steps_s":[1e-05,0.001],"configurations":[{"label":"extrapolation 0","configuration":{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"exact","m2":"exact"},"substeps":{},"correction":"none"},"layers":[{"macro_step_s":1e-05,"points_within_limit":2,"points_without_value":[]},{"macro_step_s":0.001,"points_within_limit":1,"points_without_value":[]}],"largest_macro_step_s":[[0.001,1e-05,null],[null,null,null]]}]}');
CREATE TABLE map_axes (
  analysis_id TEXT NOT NULL REFERENCES analyses ON DELETE CASCADE,
  axis TEXT NOT NULL CHECK (axis IN ('x', 'y')),
  position INTEGER NOT NULL CHECK (position >= 0),
  parameter TEXT NOT NULL,
  unit TEXT NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY (analysis_id, axis, position)
) STRICT, WITHOUT ROWID;
INSERT INTO map_axes VALUES('f9b2f3e25724785f','x',0,'coupling.c_k','N/m',1.0);
INSERT INTO map_axes VALUES('f9b2f3e25724785f','x',1,'coupling.c_k','N/m',100000.0);
INSERT INTO map_axes VALUES('f9b2f3e25724785f','x',2,'coupling.c_k','N/m',10000000000.0);
INSERT INTO map_axes VALUES('f9b2f3e25724785f','y',0,'coupling.d_k','N s/m',1.0);
INSERT INTO map_axes VALUES('f9b2f3e25724785f','y',1,'coupling.d_k','N s/m',1000000.0);
CREATE TABLE map_layers (
  analysis_id TEXT NOT NULL REFERENCES analyses ON DELETE CASCADE,
  layer INTEGER NOT NULL CHECK (layer >= 0),
  configuration_id INTEGER NOT NULL,
  coupling TEXT NOT NULL,
  scheme TEXT NOT NULL,
  extrapolation TEXT NOT NULL,
  integrators TEXT NOT NULL CHECK (json_valid(integrators)),
  correction TEXT NOT NULL,
  configuration TEXT NOT NULL CHECK (json_valid(configuration)),
  macro_step_s REAL NOT NULL CHECK (macro_step_s > 0),
  quantity TEXT NOT NULL,
  value_limit REAL NOT NULL,
  columns INTEGER NOT NULL CHECK (columns > 0),
  point_values TEXT NOT NULL CHECK (json_valid(point_values)),
  PRIMARY KEY (analysis_id, layer)
) STRICT;
INSERT INTO map_layers VALUES('f9b2f3e25724785f',0,0,'force_displacement','jacobi','0','{"coupling":"exact","m1":"exact","m2":"exact"}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"exact","m2":"exact"},"substeps":{},"correction":"none"}',1.0000000000000000817e-05,'stability',1.0000000010000000827,3,'[0.9999990000124885,0.9999997554027678,1.0535552860411552,1.0000153917643064,1.0000155238820254,1.0232435176504553]');
INSERT INTO map_layers VALUES('f9b2f3e25724785f',1,0,'force_displacement','jacobi','0','{"coupling":"exact","m1":"exact","m2":"exact"}','none','{"coupling":"force_displacement","scheme":"jacobi","extrapolation":"0","integrators":{"coupling":"exact","m1":"exact","m2":"exact"},"substeps":{},"correction":"none"}',0.0010000000000000000208,'stability',1.0000000010000000827,3,'[0.9999057700146134,1.0069667148854546,22.075116367142655,1.403447325311982,1.403447045182929,1.4171189908304171]');
CREATE TABLE fmus (
  sha256 TEXT NOT NULL PRIMARY KEY CHECK (length(sha256) = 64),
  file_name TEXT NOT NULL,
  model_name TEXT NOT NULL,
  fmi_version TEXT NOT NULL,
  interfaces TEXT NOT NULL CHECK (json_valid(interfaces)),
  size_bytes INTEGER NOT NULL CHECK (size_bytes > 0),
  uploaded_at TEXT NOT NULL CHECK (uploaded_at GLOB '20??-??-??T??:??:??.???Z')
) STRICT;
INSERT INTO fmus VALUES('873a08c5245a57c11166fe30dbf8e02eba9dc752e48c1307524a69fde96c57d7','m1.fmu','linear_oscillator.m1','2.0','["co_simulation","model_exchange"]',1248027,'2026-11-22T11:34:11.303Z');
CREATE INDEX searches_by_age ON searches (created_at, id);
CREATE INDEX searches_by_status ON searches (status, created_at, id);
CREATE INDEX curves_by_configuration ON curves (search_id, configuration_id);
CREATE UNIQUE INDEX trials_by_curve ON trials (search_id, curve_id, point);
CREATE INDEX recommendations_by_configuration ON recommendations (search_id, configuration_id);
CREATE INDEX events_by_search ON events (search_id, sequence);
CREATE VIEW v_recommendations AS
SELECT r.search_id, s.name AS search_name, s.problem, s.finished_at, r.rule,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.substeps, c.correction,
       r.macro_step_s, r.bend_s, r.cliff_s, r.relative_residual, r.confidence, r.reason,
       r.recommendation -> '$.warnings' AS warnings,
       r.recommendation ->> '$.sentence' AS sentence,
       r.configuration_id, c.subsystem_order
FROM recommendations AS r
JOIN searches AS s ON s.id = r.search_id
LEFT JOIN configurations AS c USING (search_id, configuration_id);
CREATE VIEW v_trials AS
SELECT t.search_id, t.trial_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.status, t.reason, t.residual_J, t.startup_residual_J, t.relative_residual,
       t.nrmse, t.macro_steps, t.rhs_evaluations, t.wall_s,
       k.configuration_id, c.substeps, c.subsystem_order
FROM trials AS t
JOIN curves AS k USING (search_id, curve_id)
JOIN configurations AS c USING (search_id, configuration_id);
CREATE VIEW v_residual_curves AS
SELECT t.search_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.residual_J, t.relative_residual, t.status, t.inside_linear_region,
       k.bend_s, k.cliff_s, k.flags, k.counts,
       k.configuration_id, c.substeps, c.subsystem_order, k.stability_limit_s
FROM trials AS t
JOIN curves AS k USING (search_id, curve_id)
JOIN configurations AS c USING (search_id, configuration_id);
CREATE INDEX analyses_by_age ON analyses (created_at, id);
CREATE INDEX analyses_by_status ON analyses (status, created_at, id);
CREATE VIEW v_map_points AS
SELECT l.analysis_id, a.name AS analysis_name, a.problem, l.configuration_id,
       l.coupling, l.scheme, l.extrapolation, l.integrators, l.correction,
       x.parameter AS x_parameter, x.value AS x_value, x.unit AS x_unit,
       y.parameter AS y_parameter, y.value AS y_value, y.unit AS y_unit,
       l.macro_step_s, l.quantity,
       CASE WHEN p.type <> 'text' THEN p.value END AS value,
       CASE WHEN p.type <> 'text' THEN p.value <= l.value_limit END AS within_limit,
       CASE WHEN p.type = 'text' THEN p.value END AS reason,
       l.configuration
FROM map_layers AS l
JOIN analyses AS a ON a.id = l.analysis_id
CROSS JOIN json_each(l.point_values) AS p
CROSS JOIN map_axes AS x ON x.analysis_id = l.analysis_id AND x.axis = 'x'
  AND x.position = p.key % l.columns
CROSS JOIN map_axes AS y ON y.analysis_id = l.analysis_id AND y.axis = 'y'
  AND y.position = p.key / l.columns;
CREATE INDEX fmus_by_age ON fmus (uploaded_at, sha256);
CREATE INDEX fmus_by_file_name ON fmus (file_name);
CREATE INDEX fmus_by_model_name ON fmus (model_name);
CREATE VIEW v_fmus AS
SELECT sha256, file_name, model_name, fmi_version, interfaces, size_bytes, uploaded_at FROM fmus;
COMMIT;
PRAGMA application_id = 1296257876;
PRAGMA user_version = 4;
